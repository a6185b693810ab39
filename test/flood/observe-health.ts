// Asks a server for its health from a process of its own, forty times a second whether or not it has answered before, and
// prints how long each answer took in milliseconds: node observe-health.ts URL

const everyMs = 25
const [url = ''] = process.argv.slice(2)

setInterval(() => void observe(), everyMs)

async function observe(): Promise<void> {
  const startedAt = performance.now()
  const response = await fetch(`${url}/healthz`).catch(() => null)
  await response?.arrayBuffer()
  process.stdout.write(`${(performance.now() - startedAt).toFixed(1)}\n`)
}
