import { expect, it } from 'vitest'
import { findRefusingDirective } from './content-security-policy.ts'

const script = { directives: ['script-src-elem', 'script-src', 'default-src'] }

function refuses(policy: string, target: string, { page = 'https://www.example.com/', nonce = '' } = {}) {
  const request = { ...script, target: new URL(target), page: new URL(page), nonce: nonce || undefined }
  return findRefusingDirective([policy], request)
}

const widget = 'https://docent.example.com/widget.js'

it.each([
  ['img-src none', widget],
  ["default-src 'self'; script-src https://docent.example.com", widget],
  ['script-src docent.example.com', widget],
  ['script-src *.example.com', widget],
  ['script-src https:', widget],
  ['script-src *', widget],
  ['SCRIPT-SRC https://docent.example.com/widget.js', widget],
  ['script-src https://docent.example.com/', widget],
  ['script-src https://docent.example.com:*', 'https://docent.example.com:8443/widget.js'],
  ["script-src 'none'; script-src-elem https://docent.example.com", widget],
  ["script-src 'self'", 'https://www.example.com/widget.js'],
  ['script-src http://docent.example.com', widget],
])('allows by %s', (policy, target) => {
  expect(refuses(policy, target)).toBeNull()
})

it.each([
  ["default-src 'self'", widget, 'default-src'],
  ["script-src 'none'; default-src *", widget, 'script-src'],
  ['script-src', widget, 'script-src'],
  ['script-src *.docent.example.com', widget, 'script-src'],
  ['script-src https://docent.example.com', 'https://docent.example.com:8443/widget.js', 'script-src'],
  ['script-src https://docent.example.com/assets/', widget, 'script-src'],
  ['script-src https://docent.example.com.evil.example', widget, 'script-src'],
  ["script-src 'strict-dynamic' https://docent.example.com 'nonce-abc'", widget, 'script-src'],
])('refuses by %s', (policy, target, directive) => {
  expect(refuses(policy, target)).toBe(directive)
})

it('allows a tag by its nonce, and needs every policy to allow it', () => {
  const strict = "script-src 'nonce-abc' 'strict-dynamic'"
  const request = { ...script, target: new URL(widget), page: new URL('https://www.example.com/') }

  expect(refuses(strict, widget, { nonce: 'abc' })).toBeNull()
  expect(findRefusingDirective(['script-src *', "script-src 'self'"], request)).toBe('script-src')
})
