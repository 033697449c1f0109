// Lessons for a caller that has only functions of C: JavaScript. A function that fails returns null and leaves the sentence.
#include <memory>

#include "conformance/lesson/lesson.h"

namespace {

using tandem::conformance::Lesson;

std::string* LastError() {
  static auto* const error = new std::string;
  return error;
}

template <class Result, class Function>
Result Guarded(Result failed, const Function& function) {
  try {
    LastError()->clear();
    return function();
  } catch (const std::exception& error) {
    *LastError() = error.what();
    return failed;
  }
}

}  // namespace

extern "C" {

Lesson* tandem_lesson_open(const char* problem);
void tandem_lesson_close(Lesson* lesson);
const char* tandem_lesson_error();
const char* tandem_lesson_description(const Lesson* lesson);
double tandem_lesson_set(Lesson* lesson, int tensor, int index, double value);
void tandem_lesson_select(Lesson* lesson, int line, int row, int column);
const double* tandem_lesson_run(Lesson* lesson);
const char* tandem_lesson_explanation(const Lesson* lesson);
const double* tandem_lesson_intervals(Lesson* lesson);

Lesson* tandem_lesson_open(const char* problem) {
  return Guarded<Lesson*>(nullptr, [&] { return new Lesson(problem); });
}
void tandem_lesson_close(Lesson* lesson) { delete lesson; }
const char* tandem_lesson_error() { return LastError()->c_str(); }
const char* tandem_lesson_description(const Lesson* lesson) { return lesson->Description().c_str(); }
double tandem_lesson_set(Lesson* lesson, int tensor, int index, double value) {
  return Guarded(0.0,
                 [&] { return lesson->Set(static_cast<tandem::Tensor>(tensor), static_cast<size_t>(index), value); });
}
void tandem_lesson_select(Lesson* lesson, int line, int row, int column) { lesson->Select({line, {row, column}}); }
const double* tandem_lesson_run(Lesson* lesson) {
  return Guarded<const double*>(nullptr, [&] { return lesson->Run().data(); });
}
const char* tandem_lesson_explanation(const Lesson* lesson) { return lesson->Explanation().c_str(); }
const double* tandem_lesson_intervals(Lesson* lesson) {
  return Guarded<const double*>(nullptr, [&] { return lesson->Intervals().data(); });
}

}  // extern "C"
