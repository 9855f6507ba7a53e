// Landlock: a process gives up writing files, and may say in which folder it still does.
#pragma once

namespace lanewise {

/// The version of Landlock's interface that the running Linux has; 0 for none. From 1 (Linux 5.13)
/// on, files cannot be written; from 4 on, TCP is not to be had; from 6 on, signals go to nobody
/// else.
int landlock_version();

/// From here on, this process and what it starts can write files only below `folder`, or nowhere if
/// it is empty; `runs_programs` says whether it can still run other programs. What is open stays
/// so. True if it holds. Allocates nothing.
bool give_up_files(const char* folder, bool runs_programs);

} // namespace lanewise
