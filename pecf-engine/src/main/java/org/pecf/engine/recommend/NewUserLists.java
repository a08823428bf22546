package org.pecf.engine.recommend;

import java.util.stream.Stream;

/**
 * The items recommended to new users.
 *
 * @param users the number of new users
 * @param items the number of items they like that the model has
 * @param unknownItems the number of items they like that the model does not have
 * @param usersWithoutItems the number of new users of whom the model has no item; they get popular
 *     items, or nothing where the request is strict
 * @param lists one list per user, in the order of the users, to be read once
 */
public record NewUserLists(
    int users,
    int items,
    int unknownItems,
    int usersWithoutItems,
    Stream<UserRecommendations> lists) {}
