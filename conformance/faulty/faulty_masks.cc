#include "conformance/faulty/faulty_masks.h"

namespace tandem::conformance {
namespace {

// Element (l, d, t, n, c) of a mask of `channels`, with the bugs that read another one.
float LayerMask(const FaultyNetwork& net, FaultyVisit at, Dim n, Dim c, Dim channels) {
  const RnnProblem& p = net.p;
  if (net.On(Mutation::kMaskLayerOfFirstLayer)) at.l = 0;
  if (net.On(Mutation::kMaskLayerOfFirstStep)) at.t = 0;
  if (net.On(Mutation::kMaskLayerByStep)) at.t = StepWalk(p, at.d).Step(at.t);
  return net.mask_layer[static_cast<size_t>((((at.l * p.n_dir + at.d) * p.n_iter + at.t) * p.mb + n) * channels + c)];
}
float IterMask(const FaultyNetwork& net, Dim l, Dim d, Dim n, Dim k) {
  const RnnProblem& p = net.p;
  if (net.On(Mutation::kMaskIterOfFirstDirection)) d = 0;
  if (net.On(Mutation::kMaskIterOfFirstRow)) n = 0;
  return net.mask_iter[static_cast<size_t>(((l * p.n_dir + d) * p.mb + n) * p.sic + k)];
}
float Zoneout(const FaultyNetwork& net, const Floats& mask, const FaultyVisit& at, size_t i, size_t row_elements) {
  const RnnProblem& p = net.p;
  if (at.t >= net.lengths[i / row_elements]) return 0;  // what lies there is not read
  const float z =
      mask[static_cast<size_t>((at.l * p.n_dir + at.d) * p.n_iter + at.t) * static_cast<size_t>(p.mb) * row_elements +
           i];
  return net.On(Mutation::kZoneoutComplemented) ? 1 - z : z;
}

}  // namespace

void MaskInputs(const FaultyNetwork& net, const FaultyVisit& at, FaultyStep* step) {
  const RnnProblem& p = net.p;
  if (p.Has(kMaskLayer) && !net.On(Mutation::kMaskLayerIgnored)) {
    for (Dim n = 0; n < p.mb; ++n) {
      for (Dim c = 0; c < step->width; ++c) {
        float& x = step->x[static_cast<size_t>(n * step->width + c)];
        x = net.math.StoreState(LayerMask(net, at, n, c, step->width) * x);
      }
    }
  }
  if (!p.Has(kMaskIter)) return;
  step->h_kept = step->h_prev;
  if (net.On(Mutation::kMaskIterMissesSrcIter) && at.first_step) return;
  for (Dim n = 0; n < p.mb; ++n) {
    for (Dim k = 0; k < p.sic; ++k) {
      float& h = step->h_prev[static_cast<size_t>(n * p.sic + k)];
      h = net.math.StoreState(IterMask(net, at.l, at.d, n, k) * h);
    }
  }
  if (net.On(Mutation::kMaskIterOnBlend)) step->h_kept = step->h_prev;
}

void MixStates(const FaultyNetwork& net, const FaultyVisit& at, FaultyStep* step) {
  const RnnProblem& p = net.p;
  if (p.Has(kZoneoutIterC)) {
    step->c_cell = step->c;
    for (size_t i = 0; i < step->c.size() && !net.On(Mutation::kZoneoutOfCIgnored); ++i) {
      const float z = Zoneout(net, net.zoneout_iter_c, at, i, static_cast<size_t>(p.dhc));
      step->c[i] = net.math.Store(CellStateType(p), z * step->c_prev[i] + (1 - z) * step->c[i]);
    }
  }
  if (!p.Has(kZoneoutIter)) return;
  const Floats& before =
      step->h_kept.empty() || net.On(Mutation::kZoneoutKeepsMaskedState) ? step->h_prev : step->h_kept;
  for (size_t i = 0; i < step->h.size(); ++i) {
    const float z = Zoneout(net, net.zoneout_iter, at, i, static_cast<size_t>(p.dic));
    step->h[i] = net.math.StoreState(z * before[i] + (1 - z) * step->h[i]);
  }
}

float MaskOfIterGradient(const FaultyNetwork& net, const FaultyArrival& in, Dim n, Dim k) {
  if (!net.p.Has(kMaskIter) || net.On(Mutation::kIterGradientUnmasked)) return 1;
  return IterMask(net, in.l, in.d, n, k);
}

void MaskLayerGradient(const FaultyNetwork& net, const FaultyArrival& in, Dim width, float* diff_x) {
  const RnnProblem& p = net.p;
  if (!p.Has(kMaskLayer) || net.On(Mutation::kLayerGradientUnmasked)) return;
  for (Dim n = 0; n < p.mb; ++n) {
    for (Dim c = 0; c < width; ++c) diff_x[n * width + c] *= LayerMask(net, {in.l, in.d, in.t, false}, n, c, width);
  }
}

PassingGradients TakePassingGradients(const FaultyNetwork& net, const FaultyArrival& in, Floats* h, Floats* c) {
  const RnnProblem& p = net.p;
  const FaultyVisit at = {in.l, in.d, in.t, false};
  PassingGradients passing;
  const auto divide = [&](const Floats& mask, Dim width, bool lost, Floats* diff, Floats* passed) {
    for (size_t i = 0; i < diff->size(); ++i) {
      const float z = Zoneout(net, mask, at, i, static_cast<size_t>(width));
      passed->push_back(lost ? 0 : z * (*diff)[i]);
      (*diff)[i] *= net.On(Mutation::kZoneoutGradientWhole) ? 1 : 1 - z;
    }
  };
  if (p.Has(kZoneoutIter)) divide(net.zoneout_iter, p.dic, net.On(Mutation::kZoneoutGradientLost), h, &passing.h);
  if (p.Has(kZoneoutIterC)) divide(net.zoneout_iter_c, p.dhc, net.On(Mutation::kZoneoutGradientOfCLost), c, &passing.c);
  return passing;
}

void AddPassingGradients(const PassingGradients& passing, Floats* h, Floats* c) {
  for (size_t i = 0; i < passing.h.size(); ++i) (*h)[i] += passing.h[i];
  for (size_t i = 0; i < passing.c.size(); ++i) (*c)[i] += passing.c[i];
}

}  // namespace tandem::conformance
