import { serveThread } from '../../../base/serve-thread.ts'
import type { FolderModel, LocalEmbeddingRequest, LocalEmbeddings } from './folder-model.ts'
import { openFolderModel } from './open-folder-model.ts'

let open: { folder: string; model: Promise<FolderModel> } | null = null

serveThread(async ({ folder, texts }: LocalEmbeddingRequest): Promise<LocalEmbeddings> => {
  if (open?.folder !== folder) open = { folder, model: openFolderModel(folder) }
  try {
    const { description, embed } = await open.model
    return { description, vectors: (await embed(texts)).map((vector) => Array.from(vector)) }
  } catch (error) {
    // The files may be replaced before the next try.
    open = null
    throw error
  }
})
