import type { ReaderSession, ReaderSessionRequest } from '../../packages/docent-client/src/generated/wire-types.ts'

export type SendSession = (body: ReaderSessionRequest) => Promise<ReaderSession>

export function getSession(send: SendSession, signal?: AbortSignal | null): Promise<string>
