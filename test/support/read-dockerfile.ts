import { DockerfileParser } from 'dockerfile-ast'

/** One step of an image, such as `RUN npm ci`, with its continued lines joined. */
export interface ImageStep {
  keyword: string
  text: string
}

/** The stages of a Dockerfile, in order, each with its steps. @throws {Error} for a step that no builder knows. */
export function readDockerfile(content: string): ImageStep[][] {
  const stages: ImageStep[][] = []
  for (const instruction of DockerfileParser.parse(content).getInstructions()) {
    const keyword = instruction.getKeyword()
    if (!known.has(keyword)) throw new Error(`${keyword} is no instruction of a Dockerfile.`)
    if (keyword === 'FROM') stages.push([])
    const text = (instruction.getRawArgumentsContent() ?? '').replaceAll(/\\\s*\n\s*/g, ' ')
    stages.at(-1)?.push({ keyword, text })
  }
  return stages
}

const known = new Set(
  'FROM RUN COPY WORKDIR USER ENV EXPOSE VOLUME STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD LABEL ARG'.split(' '),
)
