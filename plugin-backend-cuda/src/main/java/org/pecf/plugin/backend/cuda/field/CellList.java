package org.pecf.plugin.backend.cuda.field;

import org.pecf.plugin.backend.cuda.device.DeviceSlice;

/**
 * A list of cells on the device, and on the host for fields that are computed there.
 *
 * @param count the number of cells
 * @param users the user of each cell, or none without such fields
 * @param items the item of each cell, or none without such fields
 * @param deviceUsers the users on the device
 * @param deviceItems the items on the device
 */
public record CellList(
    int count, int[] users, int[] items, DeviceSlice deviceUsers, DeviceSlice deviceItems) {}
