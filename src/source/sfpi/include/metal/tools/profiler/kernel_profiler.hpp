// Zones of the profiler, which notes nothing here.
#pragma once

#define DeviceZoneScopedN(name)
#define DeviceZoneScopedMainN(name)
#define DeviceTimestampedData(name, data)
#define DeviceRecordEvent(event)
