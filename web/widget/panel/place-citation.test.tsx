import { expect, it } from 'vitest'
import { english } from '../words/english.ts'
import { makeSay } from '../words/make-say.ts'
import { MarkdownWriter } from './markdown-writer.ts'
import { keepWithWord } from './place-citation.ts'

function write(markdown: string) {
  const root = document.createElement('div')
  const decorate = (link: HTMLElement) => {
    keepWithWord(link)
    link.className = 'cite'
  }
  new MarkdownWriter(root, { say: makeSay('en', english), decorate }).write(markdown, true)
  return root
}

const readKept = (root: Element) => [...root.querySelectorAll('.kept')].map((kept) => kept.textContent)

it('keeps numbers on the line of the word before them', () => {
  const root = write('Make the new key. [1](#a) [2](#b) Then wait. [3](#c)')

  expect(readKept(root)).toEqual(['key.\u206012', 'wait.\u20603'])
  expect(root.textContent).toBe('Make the new key.\u206012 Then wait.\u20603')
})

it('lets a word break that is wider than the panel', () => {
  expect(readKept(write(`${'x'.repeat(90)} [1](#a)`))).toEqual([])
})

it('puts the number of code into its caption', () => {
  const root = write('```sh\nnpm start\n```\n\n[1](#a)\n\nThen wait.')

  expect(root.querySelector('.cap')?.textContent).toBe('sh1Copy')
  expect([...root.children].map((block) => block.textContent)).toEqual(['sh1Copynpm start', 'Then wait.'])
})

it('leaves text after code where it is', () => {
  const root = write('```sh\nnpm start\n```\n\n[1](#a) Then wait.')

  expect(root.querySelector('p')?.textContent).toBe('1 Then wait.')
})
