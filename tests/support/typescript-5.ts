import { registerHooks } from 'node:module'

/**
 * Loaded before openapi-typescript, which writes its types with the JavaScript API of TypeScript 5. TypeScript 7, which
 * checks this project, has none.
 */
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
})
