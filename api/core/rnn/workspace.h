// The first bytes of every workspace: who filled it and for which problem, so that backward can refuse any other.
#ifndef TANDEM_API_CORE_RNN_WORKSPACE_H_
#define TANDEM_API_CORE_RNN_WORKSPACE_H_

#include <cstddef>
#include <cstdint>

#include "api/core/rnn/implementation.h"

namespace tandem {

// Four cache lines, so that what follows keeps the buffer's alignment.
constexpr size_t kWorkspaceHeaderBytes = 256;

// Marks the workspace as filled by `implementation` ("ref:scalar", "hwy") for `problem`, the lengths of
// its rows and its masks. Call when forward has finished.
void SealWorkspace(const RnnBuffers& buffers, const RnnProblem& problem, const char* implementation);
// Throws invalid_arguments with the reason if the workspace was not sealed by SealWorkspace for the same implementation and
// for a problem that has the same cell, dims, direction, types and optional tensors, rows
// of the same lengths and the same masks; names those that differ.
void CheckWorkspace(const RnnBuffers& buffers, const RnnProblem& problem, const char* implementation);

}  // namespace tandem

#endif  // TANDEM_API_CORE_RNN_WORKSPACE_H_
