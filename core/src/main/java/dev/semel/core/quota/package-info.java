/** Not public. How much each tenant may take up; the door is {@link dev.semel.core.quota.TenantQuotas}. */
@NullMarked
package dev.semel.core.quota;

import org.jspecify.annotations.NullMarked;
