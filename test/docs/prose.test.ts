import { globSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { Paragraph } from 'mdast'
import { visit } from 'unist-util-visit'
import { expect, it } from 'vitest'
import { parseMarkdown } from '../../src/content/markdown/parse-markdown.ts'
import { splitFrontmatter } from '../../src/content/markdown/read-frontmatter.ts'

const wordsMax = 30
const docs = resolve(import.meta.dirname, '../../docs')
const pages = globSync(join(docs, '**/*.mdx')).map((file) => {
  const { body } = splitFrontmatter(readFileSync(file, 'utf8'))
  return { name: relative(docs, file), tree: parseMarkdown(body, 'mdx') }
})

/** Code counts as one word. */
function listSentences(paragraph: Paragraph): string[] {
  let text = ''
  visit(paragraph, (node) => {
    if (node.type === 'text') text += node.value
    if (node.type === 'inlineCode') text += node.value.replaceAll(/\s/gu, '\u{a0}')
  })
  return text.split(/(?<=[.!?])[ \n]+/u)
}

it('has no sentence of more than 30 words', () => {
  const long: string[] = []
  for (const { name, tree } of pages) {
    visit(tree, 'paragraph', (paragraph) => {
      const tooLong = listSentences(paragraph).filter((sentence) => sentence.split(/[ \n]+/u).length > wordsMax)
      long.push(...tooLong.map((sentence) => `${name}: ${sentence}`))
    })
  }

  expect(long).toEqual([])
})
