"""Counts the instructions of the kernels' inner loops. A time in an emulator would say nothing about them.

    instructions.py OBJDUMP FILE...

FILE is an object or archive of //optimized/kernels for 64-bit Arm. For each product of MicroKernel, it prints the instructions
for one multiply-add of scalars and the accesses to the stack. It exits with 1 if a loop of 4 to 6 rows exceeds its limit, or any
loop keeps sums on the stack.
"""
import re
import subprocess
import sys

# One instruction makes this many multiply-adds of scalars.
MULTIPLY_ADDS = {"fmla": 4, "sdot": 16}
# These are the most instructions for one multiply-add at 4 to 6 rows. bf16 pays for widening two values, f16 for one, s8 beside
# floating data for four, of two or three instructions each.
LIMITS = {"F32Storage": 0.42, "S8DotStorage": 0.12, "Bf16Storage": 0.47, "F16Products": 0.48, "S8FloatStorage": 0.57}

FUNCTION = re.compile(r"[0-9a-f]+ <.*MicroKernel<.*?(\w+(?:Storage|Products)), (\d+), (\d+), (\d+)>")
INSTRUCTION = re.compile(r"\s*([0-9a-f]+):\s+(\S+)\s*(.*)")


def Functions(objdump, file):
    """Returns (storage, rows, blocks, products, [(address, name, operands)]) for each MicroKernel."""
    text = subprocess.run([objdump, "-dC", "--no-show-raw-insn", file], check=True, stdout=subprocess.PIPE).stdout.decode()
    found = []
    body = None
    for line in text.splitlines():
        if line.endswith(">:"):
            match = FUNCTION.match(line)
            body = [] if match else None
            if match:
                found.append((match.group(1), *map(int, match.group(2, 3, 4)), body))
        elif body is not None:
            match = INSTRUCTION.match(line)
            if match:
                body.append((int(match.group(1), 16), match.group(2), match.group(3)))
    return found


def InnerLoops(body):
    """Yields the instructions of each loop that multiplies and has no loop inside."""
    index = {address: i for i, (address, _, _) in enumerate(body)}
    ends = []
    for i, (address, name, operands) in enumerate(body):
        target = re.search(r"([0-9a-f]+) <", operands)
        if (name.startswith("b.") or name in ("b", "cbz", "cbnz")) and target:
            begin = index.get(int(target.group(1), 16), i + 1)
            if begin < i:
                ends.append((begin, i))
    for begin, end in ends:
        if any(begin < b and e < end for b, e in ends):
            continue
        loop = body[begin : end + 1]
        if sum(MULTIPLY_ADDS.get(name, 0) for _, name, _ in loop) > 0:
            yield loop


def main():
    failures = 0
    rows_seen = set()
    for file in sys.argv[2:]:
        for storage, rows, blocks, products, body in Functions(sys.argv[1], file):
            for loop in InnerLoops(body):
                adds = sum(MULTIPLY_ADDS.get(name, 0) for _, name, _ in loop)
                stack = sum("[sp" in operands for _, _, operands in loop)
                ratio = len(loop) / adds
                bad = stack > 0 or (rows >= 4 and ratio > LIMITS[storage])
                failures += bad
                rows_seen.add((storage, rows))
                print("%s%s, %d rows, %d blocks, %d products: %d instructions, %d multiply-adds: %.3f; %d on the stack"
                      % ("FAILED: " if bad else "", storage, rows, blocks, products, len(loop), adds, ratio, stack))
    missing = [(storage, rows) for storage in LIMITS for rows in range(1, 7) if (storage, rows) not in rows_seen]
    for storage, rows in missing:
        print("FAILED: no loop of %s with %d rows was found" % (storage, rows))
    return 1 if failures or missing else 0


sys.exit(main())
