import { bytes, childOf, integer, nullable, object, primaryKey, references, table, text, time } from './define-table.ts'

export const blobTables = {
  /** Content shared by replicas, by SHA-256 hash. Unused by the embedded database. */
  blobs: table(
    {
      /** 64 hexadecimal digits. */
      hash: primaryKey(text()),
      /** Bytes. */
      size: integer(),
      /** When it was last stored or released; unreferenced blobs are deleted some time later. */
      touchedAt: time(),
    },
    {
      uncopied: 'Repositories are copied as refs and packs, however they are stored.',
      indexes: { byTouch: ['touchedAt'] },
    },
  ),
  /** The bytes of blobs stored in the database. */
  blobChunks: table(
    {
      hash: childOf('blobs.hash'),
      /** From 0. */
      seq: integer(),
      bytes: bytes(),
    },
    { uncopied: 'As blobs.', primaryKey: ['hash', 'seq'] },
  ),
  /** The files of an index generation. */
  indexBlobs: table(
    {
      generationId: childOf('indexGenerations.id'),
      part: text<'index' | 'vectors'>(),
      hash: references('blobs.hash'),
      /** For vectors: the model that produced them. */
      model: nullable(text()),
    },
    { uncopied: 'It refers to index files.', primaryKey: ['generationId', 'part'], indexes: { byHash: ['hash'] } },
  ),
  /** Refs of the built-in host's repositories, independent of which replica has them on disk. */
  repositoryStates: table(
    {
      repositoryId: primaryKey(childOf('repositories.id')),
      /** Counts changes, from 1. */
      version: integer(),
      /** Full name of the ref that `HEAD` points to. */
      head: text(),
      /** Full ref names to full object ids. */
      refs: object<Record<string, string>>(),
      /** Git's `shallow` file; null for a complete history. */
      shallow: nullable(text()),
    },
    { uncopied: 'As blobs.' },
  ),
  /** The packs that together contain a repository's objects. */
  repositoryPacks: table(
    {
      repositoryId: childOf('repositoryStates.repositoryId'),
      hash: references('blobs.hash'),
      /** The version that added the pack. */
      version: integer(),
    },
    { uncopied: 'As blobs.', primaryKey: ['repositoryId', 'hash'], indexes: { byHash: ['hash'] } },
  ),
}
