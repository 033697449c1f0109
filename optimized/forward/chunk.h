// The parts of an execution pass these structs to one another: TeamThread says who works, Chunk and StepRows say on what, and
// StepArgs has the kernels' arguments.
#ifndef TANDEM_OPTIMIZED_FORWARD_CHUNK_H_
#define TANDEM_OPTIMIZED_FORWARD_CHUNK_H_

#include <algorithm>

#include "api/core/rnn/step_walk.h"
#include "optimized/forward/run_memory.h"
#include "optimized/threads/threading.h"

namespace tandem {
namespace optimized {

// The state that belongs to one thread.
struct TeamThread {
  int index;       // in the team
  int team;        // threads
  Barrier* all;    // of the team
  Barrier* group;  // of the threads that share dirs and rows
  Role role;
  bool divided_rows;
  Dim hoisted_row;         // where W x of its group begins: rows are (step in the chunk, minibatch row of the chunk)
  Range blocks;            // of dhc
  Range projected_blocks;  // of dic
  Range output_blocks;     // of h: the latter with a projection, else the former
  StoreMode mode = StoreMode::kAssign;
  Dim last_slot[2];  // per direction: where h of the newest step is
};

// Thread `index` of a team of `team`, still without barriers (forward_run.cc).
TeamThread MakeThread(const RunMemory& run, int index, int team);

// Steps [steps) of one layer of one direction, whose W x is computed at once, for minibatch rows [rows). Slots are in
// the order of time in both directions.
struct Chunk {
  Dim l, d;
  StepWalk walk;
  Range steps;
  Range times;        // of these steps
  Range rows;         // whose W x is kept at once
  Dim first_slot;     // of the first time
  Dim previous_slot;  // of the step before the first

  Dim Slot(Dim t) const { return first_slot + t - times.begin; }
  Range LiveRows(Dim step) const { return Intersection(walk.Live(step), rows); }
  Dim FewestRows() const { return std::min(LiveRows(steps.begin).size(), LiveRows(steps.end - 1).size()); }
  Dim CountCells() const {
    Dim cells = 0;
    for (Dim step = steps.begin; step < steps.end; ++step) cells += LiveRows(step).size();
    return cells;
  }
};

// One row at one time.
struct CellPlace {
  Dim time, n;
};

// x of a chunk: `base` is that of its lowest time, `segment` the distance from one time to the next.
struct InputRows {
  const void* base = nullptr;
  Dim row = 0;
  Dim segment = 0;
};

// A step computes these minibatch rows. Their W x lies in `gx` from row `hoisted` on, or their x lies `input` elements behind
// that of the chunk.
struct StepRows {
  Range rows;
  Dim hoisted;
  Dim input;
};

// A step leaves these `rows` of h, whose base is the chunk's first row.
struct StepOutput {
  Dim time;
  Range rows;
  StateRows h;
};

// The kernels' arguments in the steps of a chunk. From step to step only rows and the addresses of states and of x
// change.
struct StepArgs {
  TileArgs tile[2];
  CellArgs cell[2];
  StateRows unprojected;  // h of LSTM before the projection
  TileArgs projection;
  CellArgs projection_cell;
  InputRows input;  // where W x is added in each step
  Dim cells = 0;    // with sequence_lengths: of the chunk's steps so far; all of them lie without gaps
  // h that the first step starts from, and h of the lowest time, both from the chunk's first row on. A segment, in elements, is
  // the distance from one time to the next.
  ConstStateRows before;
  StateRows output;
  Dim output_segment;
};

// The rows of a step in a problem without lengths.
inline StepRows AllRows(const TeamThread& thread, const Chunk& chunk, Dim step, const StepArgs& args) {
  const Dim in_chunk = chunk.walk.Time(step) - chunk.times.begin;
  return {chunk.rows, thread.hoisted_row + in_chunk * chunk.rows.size(), in_chunk * args.input.segment};
}

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_FORWARD_CHUNK_H_
