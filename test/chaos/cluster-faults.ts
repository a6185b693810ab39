import { writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Cluster, Member } from './cluster.ts'
import { fillDisk, freeDisk } from './small-disk.ts'

/** Something that goes wrong in a cluster, and is over when the promise resolves. */
export interface ClusterFault {
  name: string
  /** Of ten faults, how many are of this kind. */
  weight: number
  strike(cluster: Cluster, member: Member, random: () => number): Promise<void>
}

/** Longer than any lease of a job or a sync. */
const pauseMs = 33_000

/** Every kind of fault; disks are filled where they are small ones. */
export function listFaults({ hasSmallDisks }: Pick<Cluster, 'hasSmallDisks'>): ClusterFault[] {
  return [killed, cutOff, heldUp, databaseRestarted, clockStepped, paused, ...(hasSmallDisks ? [diskFull] : [])]
}

const killed: ClusterFault = {
  name: 'kill -9',
  weight: 4,
  strike: (_cluster, member) => member.restart(),
}

const cutOff: ClusterFault = {
  name: 'connections to the database cut',
  weight: 1,
  async strike(_cluster, { proxy }, random) {
    proxy.cut()
    await wait(500 + 2_500 * random())
    proxy.mend()
  },
}

const heldUp: ClusterFault = {
  name: 'network to the database silent',
  weight: 1,
  async strike(_cluster, { proxy }, random) {
    proxy.hold()
    await wait(500 + 4_500 * random())
    proxy.mend()
  },
}

const databaseRestarted: ClusterFault = {
  name: 'database restarted',
  weight: 1,
  strike: ({ postgres }) => postgres.restart(),
}

const clockStepped: ClusterFault = {
  name: 'clock stepped',
  weight: 1,
  async strike(_cluster, { clockFile }, random) {
    // Left as it is: clocks that are wrong stay wrong. Two hours at most, either way.
    writeFileSync(clockFile, String(Math.round((random() - 0.5) * 4 * 3_600_000)))
    await wait(1_000)
  },
}

const diskFull: ClusterFault = {
  name: 'disk full',
  weight: 1,
  async strike(_cluster, { folder }, random) {
    fillDisk(folder)
    await wait(1_000 + 3_000 * random())
    freeDisk(folder)
  },
}

const paused: ClusterFault = {
  name: 'SIGSTOP past the lease',
  weight: 1,
  async strike(_cluster, { victim }) {
    victim.stop()
    await wait(pauseMs)
    victim.goOn()
  },
}
