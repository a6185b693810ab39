import { join } from 'node:path'
import type { FolderModel } from './folder-model.ts'
import { findOnnxFile, openOnnxModel } from './onnx-model.ts'
import { openStaticModel, tableFile } from './static-model.ts'
import { hasTokenTable } from './token-table.ts'

/**
 * Opens the model in a folder: a table of tokens, else a transformer in ONNX format. Folders of tables often contain
 * both, and a table is a hundred times as fast.
 *
 * @throws {Error} a clause about the folder, if it contains neither.
 */
export async function openFolderModel(folder: string): Promise<FolderModel> {
  const isOnnx = findOnnxFile(folder) !== undefined && !(await hasTokenTable(join(folder, tableFile)))
  return isOnnx ? openOnnxModel(folder) : openStaticModel(folder)
}
