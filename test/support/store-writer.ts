import { writeSync } from 'node:fs'
import { consumeLimits } from '../../src/store/counts/counters.ts'
import { setInstallationValueIfAbsent } from '../../src/store/installation.ts'
import { openStore } from '../../src/store/open-store.ts'
import { silentLog } from '../../src/telemetry/log.ts'

// Writes until it is killed, and prints the name of each row once the store has confirmed it.

const [, , folder, prefix] = process.argv
if (folder === undefined || prefix === undefined) throw new Error('Name a folder and a prefix of row names.')

const store = await openStore({ folder, log: silentLog })

async function writeForever(prefix: string, lane: number): Promise<never> {
  for (let count = 0; ; count += 1) {
    const name = `${prefix}-${lane}-${count}`
    await consumeLimits(store, [{ name: 'writes', subject: prefix, windowStart: 0, max: Number.MAX_SAFE_INTEGER }])
    const value = 'x'.repeat(1 + ((count * 997) % 5_000))
    // Both ways to write: in a transaction, and as one of several that share a commit.
    if (lane % 2 === 0) await setInstallationValueIfAbsent(store.durable, name, value)
    else {
      await store.durable.transaction().execute((transaction) => setInstallationValueIfAbsent(transaction, name, value))
    }
    writeSync(1, `${name}\n`)
  }
}

await Promise.all([0, 1, 2, 3].map((lane) => writeForever(prefix, lane)))
