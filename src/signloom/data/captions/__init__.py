"""Pictures and what people say of them."""
