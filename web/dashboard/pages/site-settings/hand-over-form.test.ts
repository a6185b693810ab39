import { expect, it } from 'vitest'
import { readHandOver, toHandOverForm } from './hand-over-form.ts'

it('reads the fields of the form for readers line by line', () => {
  const form = { ...toHandOverForm(null), handOver: true, handOverEmails: 'a@example.com, b@example.com' }

  expect(readHandOver({ ...form, handOverFields: 'E-mail: email, required\n\nOrder: number: text\nName' })).toEqual({
    fields: [
      { name: 'field-1', label: 'E-mail', kind: 'email', required: true },
      { name: 'field-2', label: 'Order: number', kind: 'text', required: false },
      { name: 'field-3', label: 'Name', kind: 'text', required: false },
    ],
    emails: ['a@example.com', 'b@example.com'],
    issues: false,
  })
  expect(readHandOver({ ...form, handOver: false })).toBeNull()
})

it('shows stored fields as they are typed', () => {
  const form = { ...toHandOverForm(null), handOver: true }

  expect(toHandOverForm(readHandOver(form))).toEqual(form)
})
