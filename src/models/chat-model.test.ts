import { createScriptedModel } from '../../test/support/scripted-model.ts'
import { describeChatModel } from '../../test/models/chat-model.conformance.ts'
import { createOfflineModel } from './offline/offline-model.ts'

describeChatModel('The offline model', { createTalker: createOfflineModel })
describeChatModel('The scripted model', {
  createTalker: () => createScriptedModel([[{ type: 'text', text: 'One two three four.' }]]),
})
