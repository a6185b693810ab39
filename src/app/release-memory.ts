import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export interface MemoryDeps {
  readLoop(previous?: EventLoopUtilization): EventLoopUtilization
  /** Size of the heap, garbage included. */
  measureHeapBytes(): number
  /** Collects all garbage, which takes some 50 ms. */
  collect(): void
}

const intervalMs = 10_000
/** Share of its time that the event loop of an idle process works. */
const idleShare = 0.05
/** Growth since the last collection that is worth another. */
const growthBytesMin = 16 * 2 ** 20

/**
 * Gives the memory back that a start, a rush or an indexing run needed, once the process is idle: V8 keeps its garbage
 * until it needs the space, which an idle process never does.
 *
 * @returns Ends it.
 */
export function releaseMemory({ readLoop, measureHeapBytes, collect }: MemoryDeps): () => void {
  let loop = readLoop()
  let keptBytes = 0
  const timer = setInterval(() => {
    const { utilization } = readLoop(loop)
    loop = readLoop()
    if (utilization > idleShare || measureHeapBytes() - keptBytes < growthBytesMin) return
    collect()
    keptBytes = measureHeapBytes()
  }, intervalMs).unref()
  return () => clearInterval(timer)
}

/** Measures and frees the memory of the main thread. */
export function processMemory(): MemoryDeps {
  return {
    readLoop: (previous) => performance.eventLoopUtilization(previous),
    measureHeapBytes: () => getHeapStatistics().total_heap_size,
    collect: collectGarbage,
  }
}

/** Node gives its programs the function only under a flag, which takes effect in contexts made after it. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void // What the flag adds.
  collect()
}
