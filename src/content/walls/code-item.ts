/** Something on a page or in an image that is executed, fetched or expanded where it is built or read. */
export interface CodeItem {
  kind:
    | 'import'
    | 'export'
    | 'expression'
    | 'attribute'
    | 'element'
    | 'address'
    | 'include'
    | 'template'
    | 'frontmatter'
    | 'fence'
    | 'character'
  /**
   * What a change is compared by: as written, with what a script or an executed block contains; of a component its name,
   * of an import where it comes from.
   */
  text: string
  /** Local names of an import. */
  names?: readonly string[]
  /** From 1, in the text that was read; null if unknown. */
  line: number | null
}
