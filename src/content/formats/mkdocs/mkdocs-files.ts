export const configFile = /^mkdocs\.ya?ml$/
