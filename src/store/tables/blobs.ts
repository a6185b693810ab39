import { bytes, childOf, integer, nullable, object, primaryKey, references, table, text, time } from './define-table.ts'

export const blobTables = {
  /** Contents that replicas share, by the SHA-256 of what they are. */
  blobs: table(
    {
      /** 64 hexadecimal digits. */
      hash: primaryKey(text()),
      /** Bytes. */
      size: integer(),
      /** When it was last stored, or last let go of: what nothing names goes a while after. */
      touchedAt: time(),
    },
    {
      uncopied: 'Repositories are copied as refs and packs, whichever way they are stored.',
      indexes: { byTouch: ['touchedAt'] },
    },
  ),
  /** The bytes of contents that lie in the database, in pieces. */
  blobChunks: table(
    {
      hash: childOf('blobs.hash'),
      /** From 0. */
      seq: integer(),
      bytes: bytes(),
    },
    { uncopied: 'As blobs.', primaryKey: ['hash', 'seq'] },
  ),
  /** The files of a generation of an index. */
  indexBlobs: table(
    {
      generationId: childOf('indexGenerations.id'),
      part: text<'index' | 'vectors'>(),
      hash: references('blobs.hash'),
      /** Of vectors: the model that made them. */
      model: nullable(text()),
    },
    { uncopied: 'It names files of indexes.', primaryKey: ['generationId', 'part'], indexes: { byHash: ['hash'] } },
  ),
  /** What a repository of the built-in host holds, whichever replica has it on its disk. */
  repositoryStates: table(
    {
      repositoryId: primaryKey(childOf('repositories.id')),
      /** Counts the changes, from 1. */
      version: integer(),
      /** The full name of the ref that `HEAD` names. */
      head: text(),
      /** Full names of refs and full ids of what they name. */
      refs: object<Record<string, string>>(),
      /** What git keeps of a history that is cut off; null for a whole one. */
      shallow: nullable(text()),
    },
    { uncopied: 'As blobs.' },
  ),
  /** The packs that hold the objects of a repository, all of them together. */
  repositoryPacks: table(
    {
      repositoryId: childOf('repositoryStates.repositoryId'),
      hash: references('blobs.hash'),
      /** The version that brought it. */
      version: integer(),
    },
    { uncopied: 'As blobs.', primaryKey: ['repositoryId', 'hash'], indexes: { byHash: ['hash'] } },
  ),
}
