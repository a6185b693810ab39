/** An embedding model read from a folder, in the thread that runs it. */
export interface FolderModel {
  /** Description for the operator. */
  description: string
  /** @returns One vector per text; zeros for a text that says nothing to the model. */
  embed(texts: readonly string[]): Promise<ArrayLike<number>[]>
}

/** A request to the thread of local models. Without texts, it only opens the model. */
export interface LocalEmbeddingRequest {
  folder: string
  texts: readonly string[]
}

export interface LocalEmbeddings {
  description: string
  vectors: number[][]
}
