import { expect, it } from 'vitest'
import { createChatModel } from './model-registry.ts'

it('makes the offline model', () => {
  const model = createChatModel({ id: 'docent/offline' })

  expect(`${model.provider}/${model.modelId}`).toBe('docent/offline')
})

it.each(['openai/gpt-5', 'offline', '', 'constructor'])('refuses the model "%s" and names the setting', (id) => {
  expect(() => createChatModel({ id })).toThrow(
    /^There is no model ".*" in this version\. Set DOCENT_MODEL to docent\/offline\.$/,
  )
})
