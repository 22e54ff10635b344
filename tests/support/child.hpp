// A process of its own for a case that may end it, or that changes it for good.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <exception>
#include <functional>
#include <string>

#include "frit/error.hpp"

namespace frit::test {

// What `body` returns in a forked process, or how that process ended. Bounded in time.
inline std::string in_child(const std::function<std::string()>& body) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    alarm(120);
    std::string text;
    try {
      text = body();
    } catch (const Error& error) {
      text = error.what();
    } catch (const std::exception& error) {
      text = std::string("exception: ") + error.what();
    }
    if (write(ends[1], text.data(), text.size()) < 0) _exit(1);
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; (n = read(ends[0], buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return "ended by signal " + std::to_string(WTERMSIG(status)) + " " + text;
  return WEXITSTATUS(status) == 0 ? text : "exit status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace frit::test
