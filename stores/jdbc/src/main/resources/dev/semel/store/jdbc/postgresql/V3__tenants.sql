-- How many keys a tenant has is counted here, when tenants have quotas. Keys without a tenant are not in it and cost
-- nothing. Its column never changes, so that writing over a row still touches no index.
create index semel_key_tenant on semel_key (tenant) where tenant <> '';
