"""linux_needs.py [--most=2.X] [--except=NAME] PATH...: the oldest Linux on which the programs and shared libraries below the paths run.

Prints the platform tag of a wheel with them, such as manylinux_2_28_x86_64 (PEP 600): the newest version of glibc's symbols that
one of them needs, 2.17 at least. It is an error if one needs a glibc newer than --most, a library that PEP 600's systems need
not have, or newer symbols than they have of libstdc++ and libgcc. --except leaves files of that name out.
"""
import argparse
import pathlib
import re
import subprocess
import sys

# A wheel may need these libraries of the system, as auditwheel's policies say.
ALLOWED = re.compile(r"(ld-linux.*|lib(c|m|dl|pthread|rt|gcc_s))\.so(\.[0-9]+)?$")
# No wheel has a tag of an older one.
OLDEST = (2, 17)
# These are libgcc's versions of GCC 4.8, the compiler of the oldest systems.
LIBGCC = (4, 8, 0)


def numbers(text):
    return tuple(int(part) for part in text.split("."))


def is_elf(path):
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def elf_files(paths, left_out):
    for path in paths:
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        yield from (file for file in files
                    if file.is_file() and not file.is_symlink() and file.name not in left_out and is_elf(file))


def needs_of(file):
    """Returns (machine, names of libraries, the versions that it needs of each) for an ELF file."""
    run = subprocess.run(["readelf", "--wide", "--file-header", "--dynamic", "--version-info", file], check=True, text=True,
                         stdout=subprocess.PIPE, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"})
    machine = re.search(r"Machine: +(.*)", run.stdout)[1]
    needs = run.stdout.partition("Version needs section")[2].split("  File: ")[1:]
    versions = {library.split(None, 1)[0]: re.findall(r"Name: (\S+)", library) for library in needs}
    return machine, re.findall(r"\(NEEDED\).*\[(.*)\]", run.stdout), versions


def complaints_of(file, libraries, versions, own, most):
    """Returns complaints that keep the file from running, and the newest glibc that it needs."""
    complaints = [f"is linked with {name}" for name in libraries if name not in own and not ALLOWED.match(name)]
    newest = OLDEST
    for version in sorted(set(name for library, names in versions.items() if library not in own for name in names)):
        kind, _, number = version.rpartition("_")
        if kind == "GLIBC" and re.fullmatch(r"[0-9.]+", number):
            newest = max(newest, numbers(number)[:2])
            if most and numbers(number) > most:
                complaints.append(f"needs {version}")
        elif kind != "GCC" or numbers(number) > LIBGCC:
            complaints.append(f"needs {version}")
    return [f"{file} {complaint}" for complaint in complaints], newest


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=numbers)
    parser.add_argument("--except", dest="left_out", action="append", default=[])
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    files = list(elf_files(arguments.paths, arguments.left_out))
    # A library is linked by its name for the linker; the file's name may be longer.
    names = {link.name for path in arguments.paths if path.is_dir() for link in path.rglob("*.so*")}
    complaints, newest, machines = [], OLDEST, set()
    for file in files:
        machine, libraries, versions = needs_of(file)
        machines.add({"Advanced Micro Devices X86-64": "x86_64", "AArch64": "aarch64"}.get(machine, machine))
        wrong, needed = complaints_of(file, libraries, versions, names, arguments.most)
        complaints += wrong
        newest = max(newest, needed)
    if len(machines) != 1:
        complaints.append(f"{len(files)} programs and libraries, for {' and '.join(sorted(machines)) or 'no machine'}")
    if complaints:
        sys.exit("\n".join(complaints))
    print(f"manylinux_{newest[0]}_{newest[1]}_{machines.pop()}")


if __name__ == "__main__":
    main()
