import { Transform } from 'node:stream'

/** Git knows no other reason for refs that it hides. The same length, because its packets begin with theirs. */
const words = [
  ['deny updating a hidden ref', 'open a pull request for it'],
  ['deny deleting a hidden ref', 'it is protected and stays.'],
] as const
const kept = words[0][0].length - 1

/** Rewrites the reason that people read after a push to a protected branch: `main -> main (open a pull request for it)`. */
export function rewriteRefusals(): Transform {
  let rest: Buffer = Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const text = rewrite(Buffer.concat([rest, chunk]))
      // The reason may go on in the next chunk.
      rest = text.subarray(Math.max(0, text.length - kept))
      done(null, text.subarray(0, text.length - rest.length))
    },
    flush: (done) => done(null, rest),
  })
}

function rewrite(bytes: Buffer): Buffer {
  return words.reduce((text, [from, to]) => {
    for (let at = text.indexOf(from); at !== -1; at = text.indexOf(from, at + to.length)) text.write(to, at, 'latin1')
    return text
  }, bytes)
}
