package dev.semel.spring;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

/**
 * Finds calls of a method with {@link Once} by the object itself, which pass no proxy: in the byte code, for nobody sees them
 * at run time. Only what is certain is found: a call is let pass where its caller has any object of the class at hand other
 * than {@code this}.
 */
final class SelfInvocation {
    private SelfInvocation() {}

    /** @throws OnceMisuseException when another method of the class calls this one on itself */
    static void refuse(Class<?> target, Method method) {
        for (Class<?> type = ClassUtils.getUserClass(target);
                type != null && type != Object.class;
                type = type.getSuperclass()) {
            String caller = callerIn(type, target, method);
            if (caller != null)
                throw new OnceMisuseException(
                        method,
                        "it is called by " + caller
                                + "() of the same object, and such a call does not pass the proxy that"
                                + " would guard it. Call it from another bean.");
        }
    }

    private static @Nullable String callerIn(Class<?> type, Class<?> target, Method method) {
        try (InputStream bytes = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
            if (bytes == null) return null;
            Callers callers = new Callers(Type.getInternalName(type), Type.getInternalName(target), method);
            new ClassReader(bytes).accept(callers, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            return callers.found;
        } catch (IOException | IllegalArgumentException e) {
            // A class file that cannot be read here, or is newer than Spring: then nothing is found.
            return null;
        }
    }

    /** @param lambda as compilers name it: {@code lambda$method$0} */
    private static String enclosing(String lambda) {
        int from = lambda.indexOf('$') + 1;
        int to = lambda.indexOf('$', from);
        return to < 0 ? lambda : lambda.substring(from, to);
    }

    private static final class Callers extends ClassVisitor {
        private final String reading;
        private final String target;
        private final Method method;
        private @Nullable String found;

        Callers(String reading, String target, Method method) {
            super(SpringAsmInfo.ASM_VERSION);
            this.reading = reading;
            this.target = target;
            this.method = method;
        }

        private boolean isOwn(@Nullable String internalName) {
            return reading.equals(internalName) || target.equals(internalName);
        }

        private boolean givesOwn(Type type) {
            return type.getSort() == Type.OBJECT && isOwn(type.getInternalName());
        }

        private boolean isSought(String owner, String name, String descriptor) {
            return isOwn(owner) && name.equals(method.getName()) && descriptor.equals(Type.getMethodDescriptor(method));
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            if ((access & (Opcodes.ACC_STATIC | Opcodes.ACC_BRIDGE)) != 0) return null;
            return new Body(name, descriptor);
        }

        /** One method: does it call the sought one, and has it any other object to call it on? */
        private final class Body extends MethodVisitor {
            private final String name;
            private boolean calls;
            private boolean hasOthers;

            Body(String name, String descriptor) {
                super(SpringAsmInfo.ASM_VERSION);
                this.name = name;
                for (Type argument : Type.getArgumentTypes(descriptor)) hasOthers |= givesOwn(argument);
            }

            @Override
            public void visitMethodInsn(
                    int opcode, String owner, String called, String descriptor, boolean isInterface) {
                calls |= opcode != Opcodes.INVOKESPECIAL && isSought(owner, called, descriptor);
                hasOthers |= givesOwn(Type.getReturnType(descriptor));
            }

            @Override
            public void visitInvokeDynamicInsn(
                    String called, String descriptor, Handle bootstrap, Object... arguments) {
                for (Object each : arguments)
                    calls |= each instanceof Handle handle
                            && isSought(handle.getOwner(), handle.getName(), handle.getDesc())
                            && Type.getArgumentTypes(descriptor).length > 0;
            }

            @Override
            public void visitFieldInsn(int opcode, String owner, String field, String descriptor) {
                hasOthers |= givesOwn(Type.getType(descriptor));
            }

            @Override
            public void visitTypeInsn(int opcode, String type) {
                hasOthers |= isOwn(type);
            }

            @Override
            public void visitEnd() {
                if (calls && !hasOthers) found = name.startsWith("lambda$") ? enclosing(name) : name;
            }
        }
    }
}
