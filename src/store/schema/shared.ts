/** Contents that replicas share, by the SHA-256 of what they are. */
export interface BlobsTable {
  /** 64 hexadecimal digits. */
  hash: string
  /** Bytes. */
  size: number
  /** When it was last stored, or last let go of: what nothing names goes a while after. */
  touched_at: number
}

/** The bytes of contents that lie in the database, in pieces. */
export interface BlobChunksTable {
  hash: string
  /** From 0. */
  seq: number
  bytes: Uint8Array
}

/** The files of a generation of an index. */
export interface IndexBlobsTable {
  generation_id: string
  part: 'index' | 'vectors'
  hash: string
  /** Of vectors: the model that made them. */
  model: string | null
}

/** What a repository of the built-in host holds, whichever replica has it on its disk. */
export interface RepositoryStatesTable {
  repository_id: string
  /** Counts the changes, from 1. */
  version: number
  /** The full name of the ref that `HEAD` names. */
  head: string
  /** JSON object: full names of refs and full ids of what they name. */
  refs: string
  /** What git keeps of a history that is cut off; null for a whole one. */
  shallow: string | null
}

/** The packs that hold the objects of a repository, all of them together. */
export interface RepositoryPacksTable {
  repository_id: string
  hash: string
  /** The version that brought it. */
  version: number
}

/** What one replica at a time does. */
export interface LeasesTable {
  name: string
  owner: string
  lease_until: number
}
