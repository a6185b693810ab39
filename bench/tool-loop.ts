import { runToolLoop } from '../src/models/loop/run-tool-loop.ts'
import { createInstantModel } from '../test/support/instant-model.ts'

/** `node bench/tool-loop.ts`: what the tool loop costs per piece of text, beside reading the model's stream alone. */
const pieces = 20_000
const rounds = 15
const model = createInstantModel('word '.repeat(pieces), pieces)
const signal = new AbortController().signal

async function readStream(): Promise<void> {
  const reader = (await model.doStream({ prompt: [] })).stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read());
}

async function runLoop(): Promise<void> {
  const emit = () => undefined
  await runToolLoop({ model, instructions: '', messages: [], tools: [], emit, maxSteps: 1, signal })
}

/** The median of all rounds but the first ones, which compile. */
async function measure(work: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now()
    await work()
    times.push(((performance.now() - startedAt) * 1000) / pieces)
  }
  const settled = times.slice(3).sort((a, b) => a - b)
  return settled[settled.length >> 1] ?? Number.NaN
}

const streamUs = await measure(readStream)
const loopUs = await measure(runLoop)
console.log(
  JSON.stringify({ streamUsPerPiece: streamUs, loopUsPerPiece: loopUs, overheadUsPerPiece: loopUs - streamUs }),
)
