// Loaded before the product: sets the clock of the process forth or back by the milliseconds that the file which
// CHAOS_CLOCK names holds, as an operator or a time server does. The monotonic counter is not touched.

import { readFileSync } from 'node:fs'

const file = process.env['CHAOS_CLOCK']
const realNow = Date.now.bind(Date)

if (file !== undefined) {
  let shiftMs = 0
  setInterval(() => {
    try {
      shiftMs = Number(readFileSync(file, 'utf8')) || 0
    } catch {
      shiftMs = 0
    }
  }, 100).unref()
  Date.now = () => realNow() + shiftMs
}
