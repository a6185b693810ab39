import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { countStatuses } from './count-statuses.ts'
import { ask, expensiveQuestions } from './expensive-questions.ts'
import { floodBounds } from './flood-bounds.ts'
import { checkBound, type FloodOptions, type FloodOutcome } from './flood-scenario.ts'
import { type FloodTarget, messagePath, startFloodTarget } from './flood-target.ts'
import { networkAddress } from './network-address.ts'

const clients = 150
const bodyBytes = 4_000_000
const staysMs = 20_000
const settlesMs = 10_000
const sampleEveryMs = 100
/** So that the code is compiled and the pools are filled before memory is compared. */
const warmUpAnswers = 50

/** Sends large questions on connections that never read a byte of the answers. */
export async function floodReaders({ checkout }: FloodOptions): Promise<FloodOutcome> {
  const target = await startFloodTarget({ checkout })
  try {
    await countStatuses(
      warmUpAnswers,
      (index) => target.post(messagePath, ask('How?'), networkAddress(1_000 + index)),
      5,
    )
    const before = { residentMb: target.readResidentMb(), diskKib: target.readDiskKib() }
    const sockets = sendUnread(target)
    const peakMb = await watchPeak(target)
    for (const socket of sockets) socket.destroy()
    await wait(settlesMs)
    const afterMb = target.readResidentMb()
    const diskKibPerRequest = (target.readDiskKib() - before.diskKib) / clients
    const growthMb = peakMb - before.residentMb
    return {
      figures: { clients, residentMb: before.residentMb, peakMb, afterMb, growthMb, diskKibPerRequest },
      faults: [
        ...checkBound('growth of resident memory in MB', growthMb, floodBounds.residentGrowthMb),
        ...checkBound('growth on disk in KiB a request', diskKibPerRequest, floodBounds.diskKibPerRequest),
      ],
    }
  } finally {
    await target.remove()
  }
}

function sendUnread(target: FloodTarget): Socket[] {
  const bodies = Object.values(expensiveQuestions).map((makeBody) => Buffer.from(JSON.stringify(makeBody(bodyBytes))))
  const { hostname, port } = new URL(target.url)
  return Array.from({ length: clients }, (_, index) => {
    const body = bodies[index % bodies.length] as Buffer // The index is within the list.
    const socket = connect(Number(port), hostname)
    // The server may close the connection; that is its good right.
    socket.on('error', () => undefined)
    socket.write(writeHead(target.key, networkAddress(index), body.length))
    socket.write(body)
    return socket
  })
}

function writeHead(key: string, from: string, bytes: number): string {
  const headers = [
    `POST ${messagePath} HTTP/1.1`,
    'Host: docs.example.com',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `X-Forwarded-For: ${from}`,
    `Content-Length: ${bytes}`,
  ]
  return `${headers.join('\r\n')}\r\n\r\n`
}

async function watchPeak(target: FloodTarget): Promise<number> {
  let peakMb = 0
  for (let passedMs = 0; passedMs < staysMs; passedMs += sampleEveryMs) {
    peakMb = Math.max(peakMb, target.readResidentMb())
    await wait(sampleEveryMs)
  }
  return peakMb
}
