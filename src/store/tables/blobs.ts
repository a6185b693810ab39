import { bytes, childOf, integer, nullable, object, primaryKey, references, table, text, time } from './define-table.ts'

export const blobTables = {
  /** Contents that replicas share, by their SHA-256. The embedded database leaves these tables empty. */
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
      uncopied: 'Repositories are copied as refs and packs, whichever way they are stored.',
      indexes: { byTouch: ['touchedAt'] },
    },
  ),
  /** The bytes of blobs that are kept in the database. */
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
  /** Refs of the built-in host's repositories, whichever replica has them on disk. */
  repositoryStates: table(
    {
      repositoryId: primaryKey(childOf('repositories.id')),
      /** Counts the changes, from 1. */
      version: integer(),
      /** The full name of the ref that `HEAD` names. */
      head: text(),
      /** Full names of refs and full ids of what they name. */
      refs: object<Record<string, string>>(),
      /** Git's `shallow` file; null for a complete history. */
      shallow: nullable(text()),
    },
    { uncopied: 'As blobs.' },
  ),
  /** The packs that together hold a repository's objects. */
  repositoryPacks: table(
    {
      repositoryId: childOf('repositoryStates.repositoryId'),
      hash: references('blobs.hash'),
      /** The version that added it. */
      version: integer(),
    },
    { uncopied: 'As blobs.', primaryKey: ['repositoryId', 'hash'], indexes: { byHash: ['hash'] } },
  ),
}
