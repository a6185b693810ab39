import { AskError, streamAnswer } from './answer-stream.js'
import { makeElement, renderAnswer, renderLink } from './answer-text.js'

const opener = document.getElementById('ask')
const { site, links } = opener.dataset
const base = `/sites/${site}`
/** The key is kept in this tab only. */
const keyName = `docent-assistant-key:${site}`

const messages = []
let threadId = null
let asking = null

const title = makeElement('h2', 'Ask')
title.id = 'ask-title'
const closer = makeButton('Close', () => close())
const log = makeElement('div', '')
log.className = 'ask-log'
log.setAttribute('role', 'log')
// Scrollable regions must be reachable by keyboard.
log.tabIndex = 0
log.setAttribute('aria-labelledby', title.id)
const panel = makeElement('dialog', [makeElement('div', [title, closer]), log])
panel.className = 'ask-panel'
panel.setAttribute('aria-labelledby', title.id)
panel.firstChild.className = 'ask-head'
const { form: keyForm, field: keyField } = makeForm('Assistant key', 'Use key', 'password', useKey)
const keyNote = makeElement(
  'p',
  'Questions need an assistant key of this site (svc_dsc_…). It is kept in this tab only.',
)
keyNote.className = 'note'
keyForm.prepend(keyNote)
const { form: askForm, field: askField, button: askButton } = makeForm('Question', 'Ask', 'text', ask)
panel.append(keyForm, askForm)
document.body.append(panel)

opener.hidden = false
opener.setAttribute('aria-expanded', 'false')
opener.addEventListener('click', () => (panel.open ? close() : open()))
panel.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') close()
})

function open() {
  panel.show()
  opener.setAttribute('aria-expanded', 'true')
  showForm()
}

function close() {
  asking?.abort()
  panel.close()
  opener.setAttribute('aria-expanded', 'false')
  opener.focus()
}

function showForm() {
  const hasKey = sessionStorage.getItem(keyName) !== null
  keyForm.hidden = hasKey
  askForm.hidden = !hasKey
  const field = hasKey ? askField : keyField
  field.focus()
}

function useKey() {
  sessionStorage.setItem(keyName, keyField.value.trim())
  keyField.value = ''
  showForm()
}

async function ask() {
  if (asking) return asking.abort()
  const text = askField.value.trim()
  askField.value = ''
  askButton.textContent = 'Stop'
  asking = new AbortController()
  const turn = addTurn(text)
  messages.push({ role: 'user', parts: [{ type: 'text', text }] })
  try {
    await showAnswer(turn)
  } catch (error) {
    showFault(turn, error)
    messages.pop()
    // Restores the question, so that it need not be retyped.
    if (error instanceof AskError) askField.value = text
  } finally {
    asking = null
    askButton.textContent = 'Ask'
    log.removeAttribute('aria-busy')
    showForm()
  }
}

async function showAnswer(turn) {
  const key = sessionStorage.getItem(keyName)
  const currentPath = location.pathname.slice(base.length) || '/'
  const sources = new Map()
  const suggestions = new Map()
  let text = ''
  log.setAttribute('aria-busy', 'true')
  const { signal } = asking
  for await (const event of streamAnswer({ site, key, messages, threadId, currentPath, links, signal })) {
    if (event.type === 'thread') threadId = event.threadId
    if (event.type === 'text-start' && text !== '') text += '\n\n'
    if (event.type === 'text-delta') text += event.delta
    if (event.type === 'source-url') sources.set(event.url, event.title ?? event.url)
    if (event.type === 'data-suggestions') for (const { title, url } of event.data.items) suggestions.set(url, title)
    if (event.type === 'error') throw new Error(event.errorText)
    if (event.type === 'text-delta') turn.replaceChildren(renderAnswer(text))
    log.scrollTop = log.scrollHeight
  }
  messages.push({ role: 'assistant', parts: [{ type: 'text', text }] })
  if (sources.size > 0) turn.append(...renderLinks('Sources', sources))
  if (suggestions.size > 0) turn.append(...renderLinks('See also', suggestions))
  log.scrollTop = log.scrollHeight
}

function renderLinks(heading, links) {
  const list = makeElement(
    'ul',
    Array.from(links, ([url, label]) => makeElement('li', [renderLink(label, url)])),
  )
  return [makeElement('h4', heading), list]
}

function addTurn(question) {
  const answer = makeElement('div', [makeElement('p', 'Searching…')])
  log.append(makeElement('h3', question), answer)
  log.scrollTop = log.scrollHeight
  return answer
}

function showFault(turn, error) {
  const message = error.name === 'AbortError' ? 'Stopped.' : error.message
  const fault = makeElement('p', message)
  fault.className = 'note'
  // A partial answer stays.
  if (turn.textContent === 'Searching…') turn.replaceChildren(fault)
  else turn.append(fault)
  if (error instanceof AskError && error.isKeyRefused) sessionStorage.removeItem(keyName)
}

function makeForm(label, action, type, submit) {
  const field = document.createElement('input')
  field.type = type
  field.required = true
  field.autocomplete = 'off'
  const caption = makeElement('label', [makeElement('span', label), field])
  const button = makeElement('button', action)
  const form = makeElement('form', [caption, button])
  // While an answer streams, the button stops it, which an empty field must not prevent.
  form.noValidate = true
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (asking || field.value.trim() !== '') submit()
  })
  return { form, field, button }
}

function makeButton(text, click) {
  const button = makeElement('button', text)
  button.type = 'button'
  button.addEventListener('click', click)
  return button
}
