package org.pecf.plugin.backend.cuda.field;

import org.pecf.plugin.backend.cuda.device.DeviceMemory;

/**
 * A list of cells, on the host and on the device.
 *
 * @param count the number of cells
 * @param users the user of each cell
 * @param items the item of each cell
 * @param deviceUsers the users on the device
 * @param deviceItems the items on the device
 */
record CellList(
    int count, int[] users, int[] items, DeviceMemory deviceUsers, DeviceMemory deviceItems) {}
