import { expect, it } from 'vitest'
import { listAcceptedEncodings } from './accepted-encoding.ts'

it.each([
  [undefined, []],
  ['', []],
  ['gzip, deflate, br, zstd', ['br', 'gzip']],
  ['gzip;q=1.0, br;q=0.5', ['gzip', 'br']],
  ['GZIP ; Q=0.8', ['gzip']],
  ['br;q=0, gzip', ['gzip']],
  ['*', ['br', 'gzip']],
  ['*;q=0.1, br;q=0', ['gzip']],
  ['identity', []],
  ['x-gzip', ['gzip']],
  ['bro, gzipped', []],
])('of %j takes %j', (accepted, expected) => {
  expect(listAcceptedEncodings(accepted)).toEqual(expected)
})
