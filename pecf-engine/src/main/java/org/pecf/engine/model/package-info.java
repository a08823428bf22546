/**
 * Models on disk: a folder of Arrow files and a manifest, complete or absent.
 *
 * <p>A folder holds
 *
 * <ul>
 *   <li>{@code manifest.json}: the description of the model, with the size and SHA-256 checksum of
 *       every file below, and for each member how it was fitted and takes in users and items that
 *       come later;
 *   <li>{@code manifest.sha256}: the checksum of the manifest, as {@code sha256sum -c} reads it;
 *   <li>{@code member-NNN-users.arrow}, {@code member-NNN-items.arrow}: the factors of a member
 *       that is a factor model, one row per user or item;
 *   <li>{@code member-NNN-left.arrow}, {@code member-NNN-right.arrow}: the matrices of a member
 *       that is a sparse product, a list of columns and values per row;
 *   <li>{@code user-ids.arrow}, {@code item-ids.arrow}: the ids of the source, whole numbers or
 *       texts, one row per user or item;
 *   <li>{@code training-positives.arrow}: the items of the positives it was trained on, one row per
 *       user;
 *   <li>{@code also-known.arrow}: the other items that the data knows of each user, one row per
 *       user: positives that were held out, and ratings that are not positives.
 * </ul>
 *
 * <p>A column file is one record batch without nulls, so that its buffers can be mapped and used as
 * they lie in the file; only a matrix of more than 2^31 - 9 elements is cut into several.
 *
 * <p>Readers ignore fields and files they do not know, so later releases may add some, such as the
 * state of an unfinished run, without a new format version.
 */
package org.pecf.engine.model;
