import { describe, expect, it } from 'vitest'
import { readRobots } from './robots-rules.ts'
import { threadCpuMs } from '../../test/support/thread-cpu-ms.ts'

describe('readRobots', () => {
  it('takes the group for this crawler before the one for all', () => {
    const rules = readRobots(
      'User-agent: *\nDisallow: /\n\nUser-agent: DocentBot\nUser-agent: other\nDisallow: /private # not this\nCrawl-delay: 2',
      'docentbot',
    )

    expect([rules.isAllowed('/docs'), rules.isAllowed('/private/x'), rules.delayMs]).toEqual([true, false, 2000])
  })

  it('lets the longest rule count, and the allowing one of two as long', () => {
    const rules = readRobots(
      'User-agent: *\nDisallow: /docs\nAllow: /docs/open\nDisallow: /same\nAllow: /same\nDisallow:',
      'docentbot',
    )

    expect(['/docs/a', '/docs/open/a', '/same', '/'].map((path) => rules.isAllowed(path))).toEqual([
      false,
      true,
      true,
      true,
    ])
  })

  it.each([
    ['/*.pdf$', '/a/b.pdf', false],
    ['/*.pdf$', '/a/b.pdf?x', true],
    ['/a*b*c', '/axxbyyc', false],
    ['/a*b*c', '/axxcyyb', true],
    ['/a*a$', '/a', true],
    ['/a$', '/a', false],
    ['/a$', '/ab', true],
  ])('understands the pattern %s for %s', (pattern, path, isAllowed) => {
    expect(readRobots(`User-agent: *\nDisallow: ${pattern}`, 'docentbot').isAllowed(path)).toBe(isAllowed)
  })

  it('names the sitemaps and bounds the delay', () => {
    const rules = readRobots('Sitemap: https://a.dev/s.xml\nUser-agent: *\nCrawl-delay: 86400', 'docentbot')

    expect([rules.sitemaps, rules.delayMs]).toEqual([['https://a.dev/s.xml'], 10_000])
  })

  it('takes no long time for patterns made to take it', () => {
    const text = `User-agent: *\n${'Disallow: /*a*a*a*a*a*a*a*b\n'.repeat(2000)}`
    const start = threadCpuMs()

    expect(readRobots(text, 'docentbot').isAllowed(`/${'a'.repeat(2000)}`)).toBe(true)
    expect(threadCpuMs() - start).toBeLessThan(2000)
  })
})
