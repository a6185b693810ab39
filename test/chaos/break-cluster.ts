import { setTimeout as wait } from 'node:timers/promises'
import { startCluster } from './cluster.ts'
import { type ClusterFault, listFaults } from './cluster-faults.ts'
import { judgeCluster } from './cluster-judge.ts'
import { startLoad } from './cluster-load.ts'
import { createSeededRandom } from './seeded-random.ts'

export interface BreakClusterOptions {
  disturbances: number
  seed: number
  /** Those whose name is listed; all without it. */
  only?: readonly string[]
  onDisturbed?: (report: { number: number; name: string; member: string; recoveryMs: number }) => void
}

export interface BreakClusterOutcome {
  /** A sentence for every broken promise: none is what is wanted. */
  faults: string[]
  answers: number
  brokenAnswers: number
  jobs: number
  keysUsedUp: number
  slowestQuestionMs: number
}

const undisturbedMsMax = 1_500

/**
 * Disturbs two servers and two workers on one PostgreSQL, one thing after the other, while clients ask and give jobs, and
 * compares what clients were told with what is there at the end.
 */
export async function breakCluster(
  options: BreakClusterOptions,
): Promise<BreakClusterOutcome | { unavailable: string }> {
  const random = createSeededRandom(options.seed)
  const cluster = await startCluster()
  if ('unavailable' in cluster) return cluster
  try {
    const load = startLoad(cluster, createSeededRandom(options.seed + 1))
    await load.probe()
    const kinds = listFaults(cluster).filter(({ name }) => options.only?.includes(name) ?? true)
    for (let number = 1; number <= options.disturbances; number++) {
      await wait(random() * undisturbedMsMax)
      const fault = choose(kinds, random)
      const member = cluster.members[Math.floor(random() * cluster.members.length)]
      if (member === undefined) break
      await fault.strike(cluster, member, random)
      const recoveryMs = await load.probe()
      options.onDisturbed?.({ number, name: fault.name, member: member.name, recoveryMs })
    }
    await load.stop()
    const { answers, brokenThreads, jobs, usesOfKey, slowestQuestionMs } = load.ledger
    return {
      faults: await judgeCluster(cluster, load.ledger),
      answers: answers.size,
      brokenAnswers: brokenThreads.size,
      jobs: jobs.size,
      keysUsedUp: usesOfKey.size - 1,
      slowestQuestionMs,
    }
  } finally {
    await cluster.stop()
  }
}

function choose(kinds: readonly ClusterFault[], random: () => number): ClusterFault {
  let left = random() * kinds.reduce((sum, { weight }) => sum + weight, 0)
  for (const kind of kinds) {
    left -= kind.weight
    if (left < 0) return kind
  }
  throw new Error('There is no kind of fault to choose from.')
}
