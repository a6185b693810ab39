// Loaded before the server: measures the longest time that its event loop is busy with one turn. Asked for `gaps` by its
// parent process, it answers and starts anew.

import { isMainThread } from 'node:worker_threads'

const tickMs = 5

/** The longest turn of the event loop. Processor time excludes what a busy machine gives to other processes. */
export interface EventLoopGaps {
  wallMs: number
  cpuMs: number
}

// Threads load what their process loaded.
if (isMainThread) {
  let longest: EventLoopGaps = { wallMs: 0, cpuMs: 0 }
  let last = readTime()
  setInterval(() => {
    const now = readTime()
    const gaps = { wallMs: now.wallMs - last.wallMs - tickMs, cpuMs: now.cpuMs - last.cpuMs }
    longest = { wallMs: Math.max(longest.wallMs, gaps.wallMs), cpuMs: Math.max(longest.cpuMs, gaps.cpuMs) }
    last = now
  }, tickMs).unref()
  process.on('message', (question) => {
    if (question !== 'gaps') return
    process.send?.(longest)
    longest = { wallMs: 0, cpuMs: 0 }
  })
  process.channel?.unref()
}

function readTime(): EventLoopGaps {
  const { user, system } = process.threadCpuUsage()
  return { wallMs: performance.now(), cpuMs: (user + system) / 1_000 }
}
