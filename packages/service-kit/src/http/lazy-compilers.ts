import ajvCompiler, { type BuildCompilerFromPool } from '@fastify/ajv-compiler'
import jsonStringifyCompiler, { type Serializer, type SerializerFactory } from '@fastify/fast-json-stringify-compiler'

const buildValidator = ajvCompiler()
const buildSerializer = jsonStringifyCompiler()

/**
 * Fastify's own compilers of schemas, which compile a schema when it is first used instead of when its route is
 * registered: most of them, such as those of each route's errors, are never used, and compiling all was a fifth of a
 * store's start.
 */
export const lazyCompilers = {
  buildValidator: ((schemas, options) => {
    const compile = buildValidator(schemas, options)
    return (route) => {
      let compiled: ReturnType<typeof compile> | undefined
      // Fastify reads the errors of the last call from the function.
      const validate = (data: unknown) => {
        compiled ??= compile(route)
        const isValid = compiled(data)
        validate.errors = compiled.errors
        return isValid
      }
      validate.errors = undefined as NonNullable<typeof compiled>['errors']
      return validate as typeof compiled & {}
    }
  }) satisfies BuildCompilerFromPool,
  buildSerializer: ((schemas, options) => {
    const compile = buildSerializer(schemas, options)
    return (route) => {
      let serialize: Serializer | undefined
      return (data) => {
        serialize ??= compile(route)
        return serialize(data)
      }
    }
  }) satisfies SerializerFactory,
}
