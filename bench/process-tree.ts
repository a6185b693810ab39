import { readdirSync, readFileSync } from 'node:fs'

/** As Linux counts processor time in /proc. */
const ticksPerSecond = 100

interface ProcessUse {
  parent: number
  /** Of the process and of its children that have ended. */
  cpuMs: number
  rssMb: number
}

/** Processor time of everything that this process has started, and resident memory of it and all that runs. */
export function readProcessTree(root: number = process.pid): { childCpuMs: number; rssMb: number } {
  const uses = new Map<number, ProcessUse>()
  for (const name of readdirSync('/proc')) if (/^\d+$/.test(name)) noteUse(uses, Number(name))
  const isBelow = (pid: number): boolean => pid === root || (uses.has(pid) && isBelow(uses.get(pid)?.parent ?? 0))
  const below = [...uses].filter(([pid]) => isBelow(pid))
  return {
    childCpuMs: below.reduce((sum, [pid, { cpuMs }]) => sum + (pid === root ? 0 : cpuMs), 0),
    rssMb: below.reduce((sum, [, { rssMb }]) => sum + rssMb, 0),
  }
}

function noteUse(uses: Map<number, ProcessUse>, pid: number): void {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Its name, in parentheses, may contain spaces.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + (fields[field] ?? 0), 0)
    const pageBytes = 4_096
    uses.set(pid, {
      parent: fields[1] ?? 0,
      cpuMs: (ticks * 1_000) / ticksPerSecond,
      rssMb: ((fields[21] ?? 0) * pageBytes) / 2 ** 20,
    })
  } catch {
    // It has ended meanwhile.
  }
}
