import type { Element, ElementContent, Root, RootContent } from 'hast'
import { toString } from 'hast-util-to-string'
import { calloutKind } from '../../../content/markdown/callout-label.ts'
import { element, readCode } from './code-blocks.ts'

/**
 * Shows what a site's components became in its Markdown as what they were: callouts as boxes, steps with their numbers,
 * groups of code blocks as tabs. All of it works without a script.
 */
export function showComponents(tree: Root): void {
  const blocks = tree.children
  for (const block of blocks) if (block.type === 'element' && block.tagName === 'p') showParagraph(block)
  tree.children = groupCode(blocks)
}

/** `**Warning:** text`, `**Note: Title**`, or `**2. Title**`, which begins a step. */
function showParagraph(paragraph: Element): void {
  const [first, ...rest] = paragraph.children
  if (first?.type !== 'element' || first.tagName !== 'strong') return
  const label = toString(first)
  const kind = calloutKind(/^([^:]{1,30}):/.exec(label)?.[1] ?? '')
  if (kind !== null) paragraph.properties['className'] = ['callout', kind]
  if (rest.length > 0) return
  const step = /^(\d{1,3})\. +(?=\S)/.exec(label)
  if (step !== null) showStep(paragraph, first, step)
}

function showStep(paragraph: Element, strong: Element, [marker, number = '']: RegExpExecArray): void {
  const [text] = strong.children
  if (text?.type !== 'text' || !text.value.startsWith(marker)) return
  text.value = text.value.slice(marker.length)
  paragraph.properties['className'] = ['step']
  paragraph.children.unshift(element('span', { className: ['number'] }, [{ type: 'text', value: number }]))
}

interface TitledCode {
  title: string
  /** Placeholder for its blocks. */
  code: Element
  /** First and last place among the blocks. */
  from: number
  to: number
}

/** Puts adjacent code blocks that have titles into one group. */
function groupCode(blocks: RootContent[]): RootContent[] {
  const shown: RootContent[] = []
  let group: TitledCode[] = []
  let count = 0
  const close = () => {
    if (group.length > 1) shown.push(makeTabs(group, `tabs-${++count}`))
    else for (const { from, to } of group) shown.push(...blocks.slice(from, to + 1))
    group = []
  }
  for (let place = 0; place < blocks.length; place++) {
    const titled = readTitled(blocks, place)
    if (titled !== null) {
      group.push(titled)
      place = titled.to
      continue
    }
    const block = blocks[place]
    if (block === undefined || (isBlank(block) && group.length > 0)) continue
    close()
    shown.push(block)
  }
  close()
  return shown
}

/** A code block with a title of its own, or below a line with nothing but a bold one. */
function readTitled(blocks: readonly RootContent[], from: number): TitledCode | null {
  const label = readLabel(blocks[from])
  const to = label === null ? from : from + 1 + Number(isBlank(blocks[from + 1]))
  const code = codeOf(blocks[to])
  const title = label ?? (code === null ? null : readCode(code).title)
  const block = blocks[to]
  if (code === null || title === null || block?.type !== 'element') return null
  return { title, code: block, from, to }
}

function readLabel(block: RootContent | undefined): string | null {
  if (block?.type !== 'element' || block.tagName !== 'p' || block.properties['className'] !== undefined) return null
  const [first, ...rest] = block.children
  const isLabel = first?.type === 'element' && first.tagName === 'strong' && rest.length === 0
  return isLabel ? toString(first) : null
}

function codeOf(block: RootContent | undefined): Element | null {
  if (block?.type !== 'element' || block.tagName !== 'pre') return null
  const [code] = block.children
  return code?.type === 'element' && code.tagName === 'code' ? code : null
}

function isBlank(block: RootContent | undefined): boolean {
  return block?.type === 'text' && block.value.trim() === ''
}

/** Disclosures of which one is open; the style puts their titles in a row. The browser opens the one that it finds text in. */
function makeTabs(group: readonly TitledCode[], name: string): Element {
  const tabs = group.map(({ title, code }, place): ElementContent => {
    const [inner] = code.children
    // The tab says it already.
    if (inner?.type === 'element') delete inner.properties['dataTitle']
    const summary = element('summary', {}, [{ type: 'text', value: title }])
    return element('details', { name, ...(place === 0 && { open: true }) }, [summary, code])
  })
  return element('div', { className: ['tabs'] }, tabs)
}
