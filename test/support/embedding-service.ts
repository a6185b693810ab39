// The whole product with an embedding model, to be killed: embedding-service.ts DATA SITE PROVIDER

import { startDocent } from './start-docent.ts'

const [folder, demoFolder, url] = process.argv.slice(2)
if (folder === undefined || demoFolder === undefined || url === undefined) throw new Error('Use: DATA SITE PROVIDER')
await startDocent({
  folder,
  demoFolder,
  env: { DOCENT_EMBEDDING_MODEL: 'openai-compatible/test', DOCENT_EMBEDDING_BASE_URL: url },
})
