/** What renders components without a browser. Load it with `runnerImport`, like them: a bundle of tests has another React. */
export { QueryClient, QueryClientProvider } from '@tanstack/react-query'
export { createElement } from 'react'
export { renderToStaticMarkup } from 'react-dom/server'
