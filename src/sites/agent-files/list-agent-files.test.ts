import { expect, it } from 'vitest'
import { writeRedirect } from './list-agent-files.ts'

it.each([
  ['/old', '/new#part', '/old /new#part 308\n'],
  ['/a/:rest*', '/b/:rest*', '/a/* /b/:splat 308\n'],
  ['/a/*', 'https://x.example.com/:splat', '/a/* https://x.example.com/:splat 308\n'],
  ['/a/(.*)', '/b/$1', '/a/* /b/:splat 308\n'],
  ['/a/:id', '/b/:id', '/a/:id /b/:id 308\n'],
])('writes the redirect %s → %s as static hosts read it', (source, destination, line) => {
  expect(writeRedirect({ source, destination })).toEqual([line])
})

it.each([
  ['/a b', '/c'],
  ['/a', '/b\n/evil https://evil.example.com'],
  ['/a/*/b', '/c'],
])('leaves out what they cannot express: %j', (source, destination) => {
  expect(writeRedirect({ source, destination })).toEqual([])
})
